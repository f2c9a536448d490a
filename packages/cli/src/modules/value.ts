// The value of an expression in a source file, as far as reading the file shows it.
import type { Class, Function as FunctionNode, Node, ParamPattern } from 'oxc-parser'
import type { Place, SourceFile } from '../syntax/parse.ts'

/** Why something cannot be known from reading, and where. */
export interface Unseen {
  readonly why: string
  readonly place: Place
}

/** The value of an expression. */
export type Value = ClassValue | ObjectValue | FunctionValue | TextValue | PlainValue | UnseenValue

/** A class, or a constructor function. */
export interface ClassValue {
  readonly kind: 'class'
  readonly file: SourceFile
  /** A constructor function is a class, too. */
  readonly node: Class | FunctionNode
  readonly name: string | null
  /** The class that it extends, when that is seen. */
  readonly parent: ClassValue | null
  /** What an instance has: its fields, its methods and those it inherits. */
  readonly instance: Members
  readonly statics: ReadonlyMap<string, Member>
  /** The files of what it extends, nearest first. */
  readonly ancestors: readonly string[]
  /** The files that export it without declaring it, nearest first. */
  readonly passedBy: readonly string[]
}

/** An object, a module or an instance of a class. */
export interface ObjectValue {
  readonly kind: 'object'
  readonly file: SourceFile
  readonly place: Place
  readonly members: Members
  /** The files of what it spreads or inherits from, nearest first. */
  readonly ancestors: readonly string[]
  /** The files that export it without declaring it, nearest first. */
  readonly passedBy: readonly string[]
  /** For an instance: its class, and the arguments of its constructor. */
  readonly made: { readonly by: ClassValue; readonly args: readonly Node[] } | null
}

/** An argument of a call. It is read when the function uses it. */
export type Argument = () => Value

/** A function. It is read when it is called. */
export interface FunctionValue {
  readonly kind: 'function'
  readonly file: SourceFile
  readonly name: string | null
  readonly isArrow: boolean
  readonly place: Place
  readonly isAsync: boolean
  /** How many arguments it needs. */
  readonly required: number
  /** What it returns. A promise counts as what it resolves to. */
  readonly call: (args: readonly Argument[]) => Value
  /** As a class: what `new` makes of it. */
  readonly asClass: () => ClassValue | null
}

/** A string that is known. */
export interface TextValue {
  readonly kind: 'text'
  readonly text: string
}

/** A value that is neither a controller nor an action: a number, an array, undefined. */
export interface PlainValue {
  readonly kind: 'plain'
}

/** A value that reading does not show. */
export interface UnseenValue extends Unseen {
  readonly kind: 'unseen'
  /** A call returns it: `wrap(() => …)`. */
  readonly isCalled?: true
}

/** A member of an object or a class. */
export interface Member {
  readonly place: Place
  /** What it holds, read on demand. */
  readonly value: () => Value
  /** It belongs to the object itself, not to its prototype: a spread copies it. */
  readonly isOwn: boolean
  /** The files through which it comes: where it is written, then each that inherits or spreads it. */
  readonly via: readonly string[]
}

/** The members of an object or a class. */
export interface Members {
  readonly known: ReadonlyMap<string, Member>
  /** Why there may be more than the known ones. Null when there are not. */
  readonly unseen: Unseen | null
}

/** A plain value. Which one it is does not matter. */
export const plain: PlainValue = { kind: 'plain' }
/** A literal `undefined`. A parameter with a default takes the default instead. */
export const absent: PlainValue = { kind: 'plain' }
export const textValue = (text: string): TextValue => ({ kind: 'text', text })
export const unseenValue = (why: string, place: Place): UnseenValue => ({ kind: 'unseen', why, place })

/** No members at all. */
export const noMembers: Members = { known: new Map(), unseen: null }

/** Puts members over those below: the same name of the upper ones wins. */
export const overlay = (lower: Members, upper: Members): Members => ({
  known: new Map([...lower.known, ...upper.known]),
  unseen: upper.unseen ?? lower.unseen,
})

/** Members as a file passes them on that inherits or spreads them. */
export const passedOn = ({ known, unseen }: Members, by: string): Members => ({
  known: new Map([...known].map(([name, member]) => [name, { ...member, via: [...member.via, by] }])),
  unseen,
})

/** A value as a file exports it that does not declare it. */
export function exportedBy(value: Value, path: string): Value {
  if (value.kind === 'function')
    return value.place.path === path ? value : { ...value, call: (args) => exportedBy(value.call(args), path) }
  if (value.kind === 'class' && value.file.path !== path)
    return { ...value, instance: passedOn(value.instance, path), passedBy: [path, ...value.passedBy] }
  if (value.kind === 'object' && value.place.path !== path)
    return { ...value, members: passedOn(value.members, path), passedBy: [path, ...value.passedBy] }
  return value
}

/** The files of a value, from the one that gives it to the oldest that it extends. */
export const lineageOf = (value: ClassValue | ObjectValue): readonly string[] => [
  ...value.passedBy,
  value.kind === 'class' ? value.file.path : value.place.path,
  ...value.ancestors,
]

/** An object that is not made by a class. */
export const objectValue = (
  file: SourceFile,
  place: Place,
  { members, ancestors }: { readonly members: Members; readonly ancestors: readonly string[] },
): ObjectValue => ({ kind: 'object', file, place, members, ancestors, passedBy: [], made: null })

/** How many arguments a function, or the constructor of a class, needs. */
export const requiredOf = (parameters: readonly ParamPattern[]): number =>
  parameters.filter((parameter) => {
    const pattern = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter
    if (pattern.type === 'AssignmentPattern' || pattern.type === 'RestElement') return false
    return (pattern as { readonly optional?: boolean }).optional !== true
  }).length

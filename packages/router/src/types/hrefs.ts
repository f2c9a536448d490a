import type { ActionsOfAny } from './table-of.ts'

/** The URL helpers of an API: controller key → action → function of the path parameters. */
export type Hrefs<Table> = { [Key in KeyOfAny<Table>]: HrefsOf<ActionsOfAny<ControllerIn<Table[keyof Table], Key>>> }

/** The controller keys of any version. */
export type KeyOfAny<Table> = { [V in keyof Table]: keyof Table[V] }[keyof Table]
type ControllerIn<V, Key extends PropertyKey> = V extends { [_ in Key]: infer Actions } ? Actions : never
type HrefsOf<Actions> = { [Name in keyof Actions]: Href<Actions[Name]> }
type Href<Params> = {} extends Params
  ? (params?: Values<Params> & Format) => string
  : (params: Values<Params> & Format) => string
/** Distributes: an action with two paths takes the parameters of either. */
type Values<Params> = Params extends unknown ? { [Name in keyof Params]: string | number } : never
type Format = { format?: string }

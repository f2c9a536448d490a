import type { ActionsOfAny } from './table-of.ts'

/** The functions that build the URLs of an API: controller key → action → function of the path parameters. */
export type Hrefs<Table> = { [Key in KeyOfAny<Table>]: HrefsOf<ActionsIn<Table, Key>> }

/** The controller keys of any version. */
export type KeyOfAny<Table> = { [V in keyof Table]: keyof Table[V] }[keyof Table]
/** The actions of a controller in any version, with their path parameters. */
export type ActionsIn<Table, Key extends KeyOfAny<Table>> = AnyVersion<Table>[Key]
/** The compiler computes it once per API, and an entry when it is first used. */
type AnyVersion<Table> = {
  [Key in KeyOfAny<Table>]: ActionsOfAny<ControllerIn<Table[keyof Table], Key>>
}
type ControllerIn<V, Key extends PropertyKey> = V extends { [_ in Key]: infer Actions }
  ? Actions
  : never
type HrefsOf<Actions> = { [Name in keyof Actions]: Href<Actions[Name]> }
type Href<Params> = {} extends Params
  ? (params?: Values<Params> & Format) => string
  : (params: Values<Params> & Format) => string
/** Distributes: an action with two paths takes the parameters of either. */
type Values<Params> = Params extends unknown ? { [Name in keyof Params]: string | number } : never
type Format = { format?: string }

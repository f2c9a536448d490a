import type { ActionsOfAny } from './table-of.ts'

/**
 * The functions that build an API's URLs: controller key → action → function of the path
 * parameters.
 */
export type Hrefs<Table> = { [Key in KeyOfAny<Table>]: HrefsOf<ActionsIn<Table, Key>> }

/** All versions' controller keys. */
export type KeyOfAny<Table> = {
  [V in keyof Table]-?: keyof NonNullable<Table[V]>
}[keyof Table]
/** A controller's actions in all versions, with their path parameters. */
export type ActionsIn<Table, Key extends KeyOfAny<Table>> = AnyVersion<Table>[Key]
/** TypeScript computes this once per API, and each entry when it's first used. */
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
/** It distributes over a union, so an action with two paths accepts the parameters of either. */
type Values<Params> = Params extends unknown ? { [Name in keyof Params]: string | number } : never
type Format = { format?: string }

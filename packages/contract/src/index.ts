// The conformance suite of the adapters: the same requests, over real sockets, have to get the same
// responses.
export { decodedPath } from './decoded-path.ts'
export { runContract, runSmoke } from './run-contract.ts'
export type {
  AdapterUnderTest,
  AppUnderTest,
  Exchange,
  Mount,
  NeutralAction,
  RunningApp,
} from './types.ts'
export {
  type GuardedAdapter,
  type GuardedApi,
  createGuardTest,
  report,
  runRequestLines,
} from './request-lines/run.ts'
export { type BodiesUnderTest, type Sent, type Way, runAwkwardBodies } from './awkward-bodies.ts'
export { brownout, type ObservedUnderTest, runObserved } from './observed.ts'
export { hasNoBody, newerOf } from './derived/cells.ts'
export {
  type DerivedApp,
  type DerivedUnderTest,
  type Sent as DerivedSent,
  Failure,
  answerError,
  runDerived,
} from './derived/run.ts'
export { droppedBy, headOnExpress, onExpress } from './derived/on-express.ts'
export { headOnFastify, onFastify } from './derived/on-fastify.ts'

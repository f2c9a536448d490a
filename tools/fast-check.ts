// fast-check with one seed for everybody, so that no change fails by chance. `npm run fuzz` draws other values each time.
import fc from 'fast-check'

if (process.env['FUZZ_RUNS'] === undefined) fc.configureGlobal({ seed: 28 })

export default fc

// `npm run release -- dry` rehearses a release, and `npm run release -- pack` writes the tarballs that are published.
const [step] = process.argv.slice(2)
if (step === 'dry') await import('./release-dry.ts')
else if (step === 'pack') await import('./release-pack.ts')
else {
  console.error('Pass a step: `npm run release -- dry` or `npm run release -- pack`.')
  process.exitCode = 2
}

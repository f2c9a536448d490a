// Measures what tests can't decide. `npm run figures` lists the figures; `npm run figures -- goodput` prints one.
import * as attackFigures from './attack-figures.ts'
import * as clusterFigures from './cluster-figures.ts'
import * as costFigures from './cost-figures.ts'
import * as incidentFigures from './incident-figures.ts'
import * as operationFigures from './operation-figures.ts'

const figures: Readonly<Record<string, () => Promise<void>>> = {
  ...operationFigures,
  ...costFigures,
  ...attackFigures,
  ...clusterFigures,
  incidents: incidentFigures.playIncidents,
}
const figure = figures[process.argv[2] ?? '']
if (figure === undefined) console.log(`Choose one of ${Object.keys(figures).join(', ')}.`)
else await figure()

// `npm run release -- pack`: builds the packages, packs them into `tarballs` and checks each tarball. The release workflow
// publishes these files, and the owner's first release by hand uses the same ones.
import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkTarball, packAll, root } from './packed.ts'

const folder = join(root, 'tarballs')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const tarball of await packAll(root, folder)) {
  await checkTarball(tarball)
  console.log(relative(root, tarball))
}

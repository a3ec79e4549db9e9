import { defineCommand } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { buildOperator } from '../../compiler/build/index.ts';
import { applyInLock } from '../project-lock.ts';
import { bundleChanges } from '../actions/files/apply-plan.ts';

export const command = defineCommand({
  locksProject: 'project',
  flags: {
    entry: flag.text('file', 'the file that starts the operator (default: src/main.ts)'),
    outfile: flag.text('file', 'the bundle (default: dist/main.mjs)'),
    check: flag.boolean('check manifests and imports, write nothing'),
    ...dryRunFlag,
  },
  help: `
Bundles the operator with everything that it imports into one ES module for Node 20, so that an image
needs no node_modules. The files of loadManifest calls are checked and included.`,
  async run(context, options) {
    const { cwd, report } = context;
    const bundle = await buildOperator({
      projectDir: cwd,
      ...(options.entry === undefined ? {} : { entry: options.entry }),
      ...(options.outfile === undefined ? {} : { outfile: options.outfile }),
    });
    const { size, manifests, warnings } = bundle;
    const dryRun = options.dryRun === true || options.check === true;
    const changes = await bundleChanges(cwd, bundle);
    if (!dryRun) await applyInLock(context, { root: cwd, changes });
    const outfile = options.outfile ?? 'dist/main.mjs';
    const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;
    const inside = manifests.length === 0 ? '' : `, with ${manifests.join(', ')}`;
    const lazy = size.total === size.hot ? '' : `, ${kilobytes(size.total - size.hot)} loaded when needed`;
    report.info(`${outfile}  ${kilobytes(size.hot)}${lazy}${inside}`);
    if (dryRun) report.info('nothing was written');
    return {
      result: {
        outfile,
        size,
        manifests,
        dryRun,
        files: changes.map(({ action, path }) => ({ action, path })),
      },
      warnings,
    };
  },
});

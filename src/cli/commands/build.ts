import type { CommandModule } from '../command.ts';
import { booleanFlag, dryRunFlag } from '../flags.ts';

interface Options {
  readonly entry?: string;
  readonly outfile?: string;
  readonly check?: boolean;
  readonly dryRun?: boolean;
}

/** `op-sdk build`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--entry <file>', 'the file that starts the operator (default: src/main.ts)');
    command.option('--outfile <file>', 'the bundle (default: dist/main.mjs)');
    booleanFlag(command, 'check', 'check manifests and imports, write nothing', false);
    dryRunFlag(command);
    command.addHelpText(
      'after',
      `
Bundles the operator with all that it imports into one ES module for Node 20, so that an image
needs no node_modules. The files of loadManifest calls are checked and put into the bundle.`,
    );
  },
  async run({ cwd, report }, given) {
    const options = given as Options;
    const { buildOperator } = await import('../../build/index.ts');
    const { bundleChanges } = await import('./shared/bundle-changes.ts');
    const bundle = await buildOperator({
      projectDir: cwd,
      ...(options.entry === undefined ? {} : { entry: options.entry }),
      ...(options.outfile === undefined ? {} : { outfile: options.outfile }),
    });
    const { size, manifests, warnings } = bundle;
    const dryRun = options.dryRun === true || options.check === true;
    const changes = await bundleChanges(cwd, bundle);
    if (!dryRun) {
      const { applyPlan } = await import('../../scaffold/writer.ts');
      await applyPlan({ root: cwd, changes });
    }
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
};

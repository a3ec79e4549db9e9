import type { CommandModule } from '../command.ts';
import { booleanFlag } from '../flags.ts';
import type { ApplyManifestOptions } from './shared/apply-manifest.ts';
import { clusterFlags } from './shared/cluster-flags.ts';
import { manifestFlag, type ManifestOptions } from './shared/manifest-input.ts';

/** `op-sdk install`. */
export const command: CommandModule = {
  configure(command) {
    manifestFlag(command);
    command.option(
      '--timeout <duration>',
      'how long to wait until the definitions are served (default: 30s)',
    );
    clusterFlags(command);
    booleanFlag(command, 'dry-run', 'ask the API server for everything, write nothing', false);
    command.addHelpText(
      'after',
      `
Applies the CustomResourceDefinitions of config/crd, and waits until the API server serves them.
What is generated must be up to date: op-sdk generate manifests, or make install.
With another kustomize: kustomize build config/crd | op-sdk install -f -`,
    );
  },
  async run(context, given) {
    const options = given as ApplyManifestOptions & ManifestOptions;
    const { crdInput } = await import('./shared/crd-input.ts');
    const { applyManifest } = await import('./shared/apply-manifest.ts');
    const objects = await crdInput(context, options, 'install');
    if (objects !== undefined) return applyManifest(context, options, () => Promise.resolve({ objects }));
    context.report.info('there are no CustomResourceDefinitions to install: `op-sdk create api` adds a kind');
    return { result: { dryRun: options.dryRun === true, objects: [] } };
  },
};

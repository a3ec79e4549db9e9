import type { CommandModule } from '../command.ts';
import { dryRunFlag } from '../flags.ts';
import { imageFlag, withManagerImage } from './shared/manager-image.ts';
import { manifestInput } from './shared/manifest-input.ts';

interface Options {
  readonly dir?: string;
  readonly image?: string;
  readonly outputFile?: string;
  readonly dryRun?: boolean;
}

/** `op-sdk build-installer`. */
export const command: CommandModule = {
  configure(command) {
    command.option('--dir <folder>', 'the kustomization to render (default: config/default)');
    imageFlag(command);
    command.option('--output-file <file>', 'the manifest (default: dist/install.yaml)');
    dryRunFlag(command);
    command.addHelpText(
      'after',
      `
Writes all objects that op-sdk deploy applies into one manifest, for people who have nothing but kubectl:
  kubectl apply --server-side -f install.yaml
What is generated must be up to date: op-sdk generate manifests, or make build-installer.`,
    );
  },
  async run(context, given) {
    const options = given as Options;
    const { outputFile } = await import('./shared/output-file.ts');
    const { deployedFolder } = await import('./shared/deployed-folder.ts');
    const { root, path } = await outputFile(
      context.cwd,
      '--output-file',
      options.outputFile ?? 'dist/install.yaml',
    );
    const folder = await deployedFolder(context, options);
    const { objects, files } = await withManagerImage(context, options, () =>
      manifestInput(context, {}, { folder, pipeInto: `tee ${path}` }),
    );
    const { toYaml } = await import('../../yaml/to-yaml.ts');
    const { defaultImageWarnings } = await import('../../cluster/index.ts');
    const { changeFor } = await import('../../scaffold/plan-files.ts');
    const { carryOut } = await import('../apply-plan.ts');
    const content = objects.map(({ object }) => toYaml(object)).join('---\n');
    const plan = { root, changes: [await changeFor(root, { path, content })] };
    const result = await carryOut(context, plan, { dryRun: options.dryRun === true });
    return {
      result: { ...result, files: [...files, ...result.files] },
      warnings: defaultImageWarnings(objects),
    };
  },
};

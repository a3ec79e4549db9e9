import { FindingList, type Finding } from '../../../errors/index.ts';
import type { OperatorBundle } from '../../../build/index.ts';
import type { BuiltImage, ImageContent, Layer, Platform } from '../../../oci/index.ts';
import type { CliContext, CommandModule } from '../../command.ts';
import { booleanFlag } from '../../flags.ts';
import { noRegistryNamed } from '../shared/no-registry-named.ts';
import { registryFlags, registryOptions, type RegistryFlags } from '../shared/registry-flags.ts';
import { openBase, parseBase, type Base } from './shared/base.ts';
import { gather } from './shared/gather.ts';
import {
  decideOutput,
  outcomeOf,
  outputFlags,
  writeOutput,
  type Output,
  type OutputOptions,
} from './shared/output.ts';

interface Options extends OutputOptions, RegistryFlags {
  readonly base?: string;
  readonly platform?: string;
  readonly entry?: string;
  readonly push?: boolean;
}

/** `op-sdk image build`. */
export const command: CommandModule = {
  configure(command) {
    outputFlags(command);
    command.option(
      '--base <image>',
      'what the image is built on, or oci:DIR for a layout on disk (default: that of the Dockerfile, node:24-slim)',
    );
    command.option('--platform <list>', 'os/architecture, several with commas (default: linux/amd64)');
    command.option('--entry <file>', 'the file that starts the operator (default: src/main.ts)');
    booleanFlag(command, 'push', 'push the image when it is built', false);
    registryFlags(command);
    command.addHelpText(
      'after',
      `
Bundles the operator as \`op-sdk build\` does and puts it on a base image: the image that the
Dockerfile of the project describes, without docker. One layer serves all platforms, since only
the base differs. The same sources and base give the same image, to the byte. The base is pulled
with the credentials of docker or podman and kept in $XDG_CACHE_HOME/op-sdk/images.`,
    );
  },
  async run(context, given) {
    const options = given as Options;
    const plan = await decide(context, options);
    const registry = registryOptions(context, options);
    const dryRun = options.dryRun === true;
    const { buildOperator } = await import('../../../build/index.ts');
    const operator = await buildOperator({
      projectDir: context.cwd,
      ...(options.entry === undefined ? {} : { entry: options.entry }),
    });
    const base = await openBase(context, plan.base, registry, !dryRun);
    context.report.step(`base ${base.name} ${base.content.root.digest}`);
    const content = await assemble(plan, base, await operatorLayer(operator));
    const written = await writeOutput(context, plan.output, content, dryRun);
    const platforms = await namesOf(plan.platforms);
    const result = { ...written, base: { image: base.name, digest: base.content.root.digest }, platforms };
    const pushed = options.push === true && !dryRun;
    if (pushed) await push(context, plan, options, content);
    const outcome = outcomeOf(written, plan.output, {
      warnings: operator.warnings,
      next: pushed ? [] : [`op-sdk image push ${written.image}`],
    });
    return { ...outcome, result: { ...result, pushed } };
  },
};

/** What the flags say, checked. */
interface Plan {
  readonly output: Output;
  readonly platforms: readonly Platform[];
  readonly base: Base;
}

async function decide({ cwd }: CliContext, options: Options): Promise<Plan> {
  const { parsePlatforms } = await import('../../../oci/index.ts');
  const { baseImage } = await import('../../../scaffold/versions.ts');
  const findings = new FindingList();
  const output = await decideOutput(cwd, options, findings);
  const platforms = await gather(findings, () =>
    parsePlatforms(options.platform ?? 'linux/amd64', '--platform'),
  );
  const base = await gather(findings, () => parseBase(options.base ?? baseImage, cwd));
  if (output?.destination.kind === 'docker-archive' && (platforms?.length ?? 0) > 1) {
    findings.add({
      code: 'oci/archive-form',
      message: 'a docker archive holds an image for one platform only',
      where: { flag: '--to' },
      fix: ['name one platform', 'write --to oci-archive:FILE'],
    });
  }
  // Before anything is built: the registry would say it only at the end, and of the hub's own images.
  if (options.push === true && output !== undefined) {
    const unnamed = noRegistryNamed(output.reference, options.tag ?? '', '--tag');
    if (unnamed !== undefined) findings.add(unnamed);
  }
  if (options.entry === undefined) findings.add(...(await notAProject(cwd)));
  findings.throwIfAny();
  // Each of them is missing only after a finding.
  if (output === undefined || platforms === undefined || base === undefined)
    throw new TypeError('a check failed without saying why');
  return { output, platforms, base };
}

/** The layer that is the same on every platform: what `COPY` brings into the image of the Dockerfile. */
async function operatorLayer(operator: OperatorBundle): Promise<Layer> {
  const { createLayer } = await import('../../../oci/index.ts');
  const { operatorStart } = await import('../../../scaffold/versions.ts');
  const entries = operator.files.map(({ path, content }) => ({
    path: path.replace(/^dist\//, `${operatorStart.folder.slice(1)}/`),
    content: Buffer.from(content),
  }));
  return createLayer(entries, 'op-sdk image build');
}

async function assemble(
  { base: from, output: { format }, platforms }: Plan,
  base: { readonly content: ImageContent; readonly name: string },
  layer: Layer,
): Promise<ImageContent> {
  const { buildImage, joinPlatforms, selectPlatform } = await import('../../../oci/index.ts');
  const { operatorStart } = await import('../../../scaffold/versions.ts');
  const findings = new FindingList();
  const images: BuiltImage[] = [];
  for (const platform of platforms) {
    const image = await gather(findings, async () =>
      buildImage({
        format,
        platform,
        layers: [layer],
        base: await selectPlatform(base.content, platform, base.name),
        config: {
          User: operatorStart.user,
          WorkingDir: operatorStart.folder,
          Entrypoint: operatorStart.entrypoint,
        },
        // Those by which scanners and update bots find out what an image stands on.
        annotations: {
          'org.opencontainers.image.base.digest': base.content.root.digest,
          ...(from.kind === 'registry' ? { 'org.opencontainers.image.base.name': base.name } : {}),
        },
      }),
    );
    if (image !== undefined) images.push(image);
  }
  findings.throwIfAny();
  return joinPlatforms(images, format);
}

async function push(
  context: CliContext,
  { base, output }: Plan,
  options: Options,
  content: ImageContent,
): Promise<void> {
  const { pushImage } = await import('../../../oci/registry/index.ts');
  const mountFrom = base.kind === 'registry' ? [base.reference] : [];
  await pushImage(output.reference, content, { ...registryOptions(context, options), mountFrom });
}

async function namesOf(platforms: readonly Platform[]): Promise<readonly string[]> {
  const { formatPlatform } = await import('../../../oci/index.ts');
  return platforms.map(formatPlatform);
}

/** Told together with what is wrong with the flags; the bundler would say it only after a base has been pulled. */
async function notAProject(cwd: string): Promise<readonly Finding[]> {
  const { layout, readFileOf } = await import('../../../project/index.ts');
  if ((await readFileOf(cwd, layout.main)) !== undefined) return [];
  return [
    {
      code: 'build/entry-not-found',
      message: `there is no ${layout.main} in this folder`,
      where: { file: layout.main },
      fix: ['run the command in the folder of the project, or name the file with --entry'],
    },
  ];
}

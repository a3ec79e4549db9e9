import { buildOperator, type OperatorBundle } from '../../compiler/build/index.ts';
import { FindingList, type Finding } from '../../base/errors/index.ts';
import {
  buildImage,
  createLayer,
  formatPlatform,
  joinPlatforms,
  parsePlatforms,
  selectPlatform,
  type BuiltImage,
  type ImageContent,
  type Layer,
  type Platform,
} from '../../images/index.ts';
import { pushImage } from '../../images/registry/index.ts';
import { layout, readFileOf } from '../../project/project/index.ts';
import { baseImage, operatorStart } from '../../project/scaffold/versions.ts';
import type { Action, CliContext } from '../command.ts';
import { inProjectLock } from '../project-lock.ts';
import type { OutputOptions } from '../flags/image-output-flags.ts';
import type { RegistryFlags } from '../flags/registry-flags.ts';
import { openBase, parseBase, type Base } from './images/base.ts';
import { noRegistryNamed } from './images/no-registry-named.ts';
import { decideOutput, imageOutcome, writeOutput, type Output } from './images/output.ts';
import { registryOptions } from './images/registry-options.ts';

interface Options extends OutputOptions, RegistryFlags {
  readonly base?: string;
  readonly platform?: string;
  readonly entry?: string;
  readonly push?: boolean;
}

/** `op-sdk image build`. */
export const run: Action = async (context, parsed) => {
  const options = parsed as Options;
  const plan = await decide(context, options);
  const registry = registryOptions(context, options);
  const dryRun = options.dryRun === true;
  const operator = await inProjectLock(context, { writes: !dryRun }, ({ cwd }) =>
    buildOperator({
      projectDir: cwd,
      ...(options.entry === undefined ? {} : { entry: options.entry }),
    }),
  );
  const base = await openBase(context, plan.base, registry, !dryRun);
  context.report.step(`base ${base.name} ${base.content.root.digest}`);
  const content = await assemble(plan, base, operatorLayer(operator));
  const written = await writeOutput(context, plan.output, content, dryRun);
  const platforms = namesOf(plan.platforms);
  const result = { ...written, base: { image: base.name, digest: base.content.root.digest }, platforms };
  const pushed = options.push === true && !dryRun;
  if (pushed) await push(context, plan, options, content);
  const outcome = imageOutcome(written, plan.output, {
    warnings: operator.warnings,
    next: pushed ? [] : [`op-sdk image push ${written.image}`],
  });
  return { ...outcome, result: { ...result, pushed } };
};

/** Checked flags. */
interface Plan {
  readonly output: Output;
  readonly platforms: readonly Platform[];
  readonly base: Base;
}

async function decide({ cwd }: CliContext, options: Options): Promise<Plan> {
  const findings = new FindingList();
  const output = await decideOutput(cwd, options, findings);
  const platforms = await findings.gather(() =>
    parsePlatforms(options.platform ?? 'linux/amd64', '--platform'),
  );
  const base = await findings.gather(() => parseBase(options.base ?? baseImage, cwd));
  if (output?.destination.kind === 'docker-archive' && (platforms?.length ?? 0) > 1) {
    findings.add({
      code: 'oci/archive-form',
      message: 'a docker archive contains an image for one platform only',
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
function operatorLayer(operator: OperatorBundle): Layer {
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
  const findings = new FindingList();
  const images: BuiltImage[] = [];
  for (const platform of platforms) {
    const image = await findings.gather(async () =>
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
        // Scanners and update bots read from these what an image is based on.
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
  const mountFrom = base.kind === 'registry' ? [base.reference] : [];
  await pushImage(output.reference, content, { ...registryOptions(context, options), mountFrom });
}

function namesOf(platforms: readonly Platform[]): readonly string[] {
  return platforms.map(formatPlatform);
}

/** Reported together with what is wrong with the flags; the bundler would say it only after a base has been pulled. */
async function notAProject(cwd: string): Promise<readonly Finding[]> {
  if ((await readFileOf(cwd, layout.main)) !== undefined) return [];
  return [
    {
      code: 'build/entry-not-found',
      message: `${layout.main} not found in this folder`,
      where: { file: layout.main },
      fix: ['run the command in the folder of the project, or name the file with --entry'],
    },
  ];
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageNotUsed, replaceImage } from '../../../cluster/index.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { findKustomization, parseImageChange, setImages } from '../../../kubernetes/kustomize/index.ts';
import { parseReference } from '../../../images/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import { parseYaml, type PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { inProjectLock } from '../../project-lock.ts';
import { carryOut, type PlanResult } from '../files/apply-plan.ts';
import { invalidFlag } from '../input/flag-values.ts';

/** Folder of the kustomization that sets the image of the operator. */
const managerFolder = 'config/manager';

/** Image name that the manifests of a scaffold contain as a placeholder. */
const placeholder = 'controller';

/**
 * Refuses the flag `--image` in combinations in which it has no effect.
 * @throws OpSdkError `cli/invalid-value`
 */
export function refuseUnusedImage({
  image,
  filename,
}: {
  readonly image?: string | undefined;
  readonly filename?: readonly string[] | undefined;
}): void {
  if (image === undefined || filename === undefined) return;
  const message =
    '--image and --filename exclude each other: --image is written into config/manager, which is not read with --filename';
  throw new OpSdkError(invalidFlag('--image', message, 'leave one of them out'));
}

/**
 * Renders objects with the image that `--image` names. If the rendered objects use this image, writes its name into config/manager, as
 * `kustomize edit set image controller=…` does.
 * @throws OpSdkError `oci/invalid-reference`, `cluster/image-not-used`, and the errors of `render`; after an error, nothing has been
 * written
 */
export async function withManagerImage(
  context: CliContext,
  { image, dryRun }: { readonly image?: string | undefined; readonly dryRun?: boolean | undefined },
  render: () => Promise<readonly PlacedObject[]>,
): Promise<{ readonly objects: readonly PlacedObject[]; readonly files: PlanResult['files'] }> {
  if (image === undefined) return { objects: await render(), files: [] };
  parseReference(image, '--image');
  return inProjectLock(context, { writes: dryRun !== true }, (locked) =>
    writeManagerImage(locked, { image, dryRun: dryRun === true }, render),
  );
}

/**
 * Renders objects like {@link withManagerImage}, but writes nothing.
 *
 * @throws OpSdkError like {@link withManagerImage}
 */
export async function renderWithImage(
  context: CliContext,
  image: string | undefined,
  render: () => Promise<readonly PlacedObject[]>,
): Promise<readonly PlacedObject[]> {
  if (image === undefined) return render();
  parseReference(image, '--image');
  return inProjectLock(context, { writes: false }, async (locked) => {
    const objects = await render();
    const { present } = await edit(locked.cwd, image);
    const unused = imageNotUsed(objects, present);
    if (unused !== undefined) throw new OpSdkError(unused);
    return replaceImage(objects, present, image);
  });
}

async function writeManagerImage(
  context: CliContext,
  { image, dryRun }: { readonly image: string; readonly dryRun: boolean },
  render: () => Promise<readonly PlacedObject[]>,
): Promise<{ readonly objects: readonly PlacedObject[]; readonly files: PlanResult['files'] }> {
  const objects = await render();
  const { path, before, after, present } = await edit(context.cwd, image);
  const unused = imageNotUsed(objects, present);
  if (unused !== undefined) throw new OpSdkError(unused);
  if (before === after) return { objects, files: [{ action: 'unchanged', path }] };
  const plan = { root: context.cwd, changes: [{ action: 'update', path, content: after, before } as const] };
  const { files } = await carryOut(context, plan, { dryRun });
  return { objects: dryRun ? replaceImage(objects, present, image) : await render(), files };
}

/**
 * Returns the text of the kustomization in config/manager before and after the edit. `present` is the image name that the text before the
 * edit sets for the placeholder; the placeholder itself if it sets none.
 */
async function edit(
  cwd: string,
  image: string,
): Promise<{
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly present: string;
}> {
  const path = `${managerFolder}/${await findKustomization(join(cwd, managerFolder), managerFolder)}`;
  const before = await readText(cwd, path);
  const change = parseImageChange(`${placeholder}=${image}`);
  if ('problem' in change) throw new OpSdkError(invalidFlag('--image', change.problem));
  const after = setImages(before, path, [change]);
  const { images } = (parseYaml(before, path).value ?? {}) as { readonly images?: unknown };
  const entries = (Array.isArray(images) ? images : []) as readonly { name?: unknown; newName?: unknown }[];
  const entry = entries.find(({ name }) => name === placeholder);
  const present = typeof entry?.newName === 'string' ? entry.newName : placeholder;
  return { path, before, after, present };
}

async function readText(cwd: string, path: string): Promise<string> {
  try {
    return await readFile(join(cwd, path), 'utf8');
  } catch (error) {
    const message = `${path} cannot be read: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file: path } }, { cause: error });
  }
}

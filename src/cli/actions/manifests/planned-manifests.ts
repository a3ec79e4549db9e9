import type { Finding } from '../../../errors/index.ts';
import { generateManifests } from '../../../manifests/index.ts';
import type { WantedFile } from '../../../scaffold/index.ts';
import { renderManifests } from './manifest-changes.ts';

/** The generated manifests as they will be, and what is to be said about them. */
export interface PlannedManifests {
  readonly files: readonly WantedFile[];
  readonly warnings: readonly Finding[];
}

/**
 * Generates the manifests of a project as it will be with these files, before any of them is written. Everything else is read
 * where it is, so that imports may lead anywhere that they will lead later.
 * @throws OpSdkError with all findings in the sources
 */
export async function plannedManifests(
  root: string,
  files: readonly WantedFile[],
): Promise<PlannedManifests> {
  const texts = new Map<string, string>();
  for (const { path, content } of files) if (typeof content === 'string') texts.set(path, content);
  const generated = generateManifests({ projectDir: root, texts });
  return { files: await renderManifests(generated.files), warnings: generated.warnings };
}

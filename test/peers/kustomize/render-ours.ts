import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isOpSdkError, type Finding } from '../../../src/base/errors/index.ts';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import type { Tree } from './oracle.ts';

/** What op-sdk makes of a tree: its objects, or all that it finds wrong. */
export async function renderOurs({
  files,
  folder = '.',
}: Tree): Promise<{ readonly objects: readonly unknown[] } | { readonly findings: readonly Finding[] }> {
  const root = mkdtempSync(join(tmpdir(), 'op-sdk-kustomize-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const rendered = await renderKustomization(folder === '' ? '.' : folder, { cwd: root });
    return { objects: rendered.map(({ object }) => object) };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return { findings: error.findings };
  } finally {
    rmSync(root, { recursive: true });
  }
}

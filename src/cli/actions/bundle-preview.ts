import { resolve } from 'node:path';
import { planPreview } from '../../olm/bundle/preview/plan-preview.ts';
import { previewSite } from '../../olm/bundle/preview/preview-site.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import type { Action } from '../command.ts';
import { planAndCarryOut } from './files/apply-plan.ts';
import { outputPlace } from './files/output-place.ts';
import { invalidFlag } from './input/flag-values.ts';
import { judgeAll } from './preview/judge-all.ts';
import { servePreview } from './preview/serve-preview.ts';
import { readSelection } from './validate/read-selection.ts';

interface PreviewFlags {
  readonly outputDir?: string;
  readonly selectOptional?: string;
  readonly dryRun: boolean;
}

/** `op-sdk bundle preview`. */
export const run: Action = async (context, parsed, folders) => {
  const { outputDir, selectOptional, dryRun } = parsed as unknown as PreviewFlags;
  const optional = readSelection(selectOptional);
  const dirs = folders.length === 0 ? ['bundle'] : folders;
  if (outputDir === '')
    throw new OpSdkError(
      invalidFlag('--output-dir', '--output-dir: expected a folder, got ""', 'name a folder'),
    );
  if (outputDir !== undefined) {
    const site = await previewSite(await judgeAll(context.cwd, dirs, optional), false);
    const folder = resolve(context.cwd, outputDir);
    const plan = () => planPreview(site, outputPlace(context.cwd, outputDir));
    return { result: await planAndCarryOut(context, folder, { dryRun }, plan) };
  }
  if (dryRun)
    throw new OpSdkError(
      invalidFlag('--dry-run', '--dry-run: expected --output-dir beside it', 'add --output-dir'),
    );
  return { result: await servePreview(context, dirs, optional) };
};

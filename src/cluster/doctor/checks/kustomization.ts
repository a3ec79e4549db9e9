import { isOpSdkError } from '../../../base/errors/index.ts';
import { layout } from '../../../project/project/index.ts';
import { defineCheck, ok, problemOf } from '../check.ts';

/** Checks that config/default can be put together: missing files, two objects of one name, webhooks that are listed twice. */
export const kustomization = defineCheck({
  name: 'kustomization',
  needs: ['project'],
  async run(_facts, _world, attempt) {
    const objects = await attempt('objects');
    if ('value' in objects) return ok(`${layout.defaultConfig} gives ${objects.value.length} objects`);
    if (!isOpSdkError(objects.error)) throw objects.error;
    return problemOf(objects.error.findings, `op-sdk kustomize build ${layout.defaultConfig}`);
  },
});

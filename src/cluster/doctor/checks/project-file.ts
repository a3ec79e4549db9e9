import { isOpSdkError } from '../../../base/errors/index.ts';
import { defineCheck, ok, problemOf, skipped } from '../check.ts';

/** Checks that this folder is a project, and its PROJECT file can be read. */
export const projectFile = defineCheck({
  name: 'project',
  needs: [],
  async run(_facts, _world, attempt) {
    const project = await attempt('project');
    if ('value' in project) {
      const { projectName, resources } = project.value;
      const kinds = resources.length === 1 ? '1 kind' : `${resources.length} kinds`;
      return ok(`${projectName}, with ${kinds} in PROJECT`);
    }
    if (!isOpSdkError(project.error)) throw project.error;
    const { code, findings } = project.error;
    if (code !== 'project/not-found') return problemOf(findings);
    const [{ message, fix = [] }] = findings;
    return { ...skipped(message), fix };
  },
});

import { layout } from '../../../project/project/index.ts';
import { projectOf } from '../check-registration.ts';

/**
 * The namespace in which a project's own kustomization puts the operator; without one, that of the scaffold.
 * @param read gives the text of a file of the project
 * @returns undefined if PROJECT is missing
 */
export function operatorNamespace(read: (file: string) => string | undefined): string | undefined {
  const said = /^namespace:[ \t]*["']?([a-z0-9-]+)/m.exec(
    read(layout.kustomization(layout.defaultConfig)) ?? '',
  );
  const project = projectOf(read);
  return said?.[1] ?? (project === undefined ? undefined : `${project.projectName}-system`);
}

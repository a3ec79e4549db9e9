import {
  addController,
  addResource,
  hasController,
  isSameKind,
  removeController,
  type LoadedProject,
  type ProjectResource,
} from '../../../project/project/index.ts';

/**
 * The text of PROJECT with a resource, and with the controller that it gets. The versions of a kind share the files of a controller, so
 * that none of the others has it any longer.
 * @param controller `name` absent: that of the kind; undefined without a new controller
 */
export function enterResource(
  project: Pick<LoadedProject, 'text' | 'resources'>,
  resource: ProjectResource,
  controller: { readonly name: string | undefined } | undefined,
): string {
  let { text } = project;
  const isSame = (known: ProjectResource): boolean =>
    isSameKind(known, resource) && known.version === resource.version;
  if (controller !== undefined)
    for (const [index, known] of project.resources.entries())
      if (!isSame(known) && isSameKind(known, resource) && hasController(known, controller.name))
        text = removeController(text, known, index, controller.name);
  const index = project.resources.findIndex(isSame);
  const present = project.resources[index];
  if (present === undefined) return addResource(text, resource);
  return controller === undefined ? text : addController(text, present, index, controller.name);
}

import { type ControllerId, camelCase, pascalCase, defaultControllerName } from '../../project/index.ts';

/** Names of a controller in the scaffolded code. */
interface ControllerNames {
  /** Name in logs, metrics and the field manager; undefined for the default, the kind in lower case. */
  readonly name: string | undefined;
  /** Name of the exported constant. */
  readonly exported: string;
  /** Name under which `src/main.ts` imports the controller. */
  readonly local: string;
  /** Type of the condition that the controller reports. Two controllers of a kind must not report the same condition. */
  readonly condition: string;
}

/** Returns a name that is unique across groups. Prefixes `group` if the group begins with a digit. */
export function groupedName(group: string, name: string): string {
  return camelCase(`${pascalCase(group)}${name}`).replace(/^(?=\d)/, 'group');
}

/**
 * Returns the names of a controller.
 * @param ambiguousKind true if another group has a controller of this kind, so that the default names need the group
 */
export function controllerCodeNames(id: ControllerId, ambiguousKind: boolean): ControllerNames {
  const { group, kind, controllerName } = id;
  const byKind = `${camelCase(kind)}Controller`;
  const byDefault = defaultControllerName(kind);
  if (controllerName === undefined)
    return {
      name: ambiguousKind ? `${group}-${byDefault}` : undefined,
      exported: byKind,
      local: ambiguousKind ? groupedName(group, `${kind}Controller`) : byKind,
      condition: 'Ready',
    };
  if (controllerName === byDefault)
    return { name: undefined, exported: byKind, local: byKind, condition: 'Ready' };
  const words = controllerName.replace(/(?<=.)-?controller$/, '');
  const exported = `${camelCase(words)}Controller`;
  return { name: controllerName, exported, local: exported, condition: `${pascalCase(words)}Ready` };
}

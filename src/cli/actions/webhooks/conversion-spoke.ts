import type { VersionSources } from '../../../compiler/manifests/index.ts';
import { layout, type ProjectResource } from '../../../project/project/index.ts';
import type { ConversionSpoke } from '../../../project/scaffold/index.ts';
import { bodyFields } from '../../../compiler/source/index.ts';

/**
 * A version as the spoke of a hub: the parts that both have.
 * @param types whose types it has, if they are not in its file yet
 */
export function conversionSpoke(
  { program }: VersionSources,
  hub: ProjectResource,
  version: ProjectResource,
  types = version,
): ConversionSpoke {
  const fieldsOf = (resource: ProjectResource): readonly string[] | undefined =>
    bodyFields(program, typesOf(resource), resource.kind);
  const hubFields = fieldsOf(hub) ?? ['spec', 'status'];
  const fields = fieldsOf(types) ?? hubFields;
  return {
    ...{ version: version.version, path: typesOf(version) },
    fields: hubFields.filter((field) => fields.includes(field)),
  };
}

function typesOf(resource: ProjectResource): string {
  return resource.path ?? layout.types(resource);
}

/** Gives the content of a template the line ends of the file that it replaces. */
export function withLineEndsOf(before: string, content: string): string {
  return before.includes('\r\n') ? content.replaceAll('\n', '\r\n') : content;
}

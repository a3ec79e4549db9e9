import { list, mapped, object, string } from '../../../base/util/json-reader.ts';
import { invalid, type JsonReader } from '../../../base/util/read-json.ts';
import { groupOf } from '../../../base/util/api-version.ts';
import type { Variable } from '../vars/variable.ts';
import { filledText, optionalText, says, written, type Locate } from './read-value.ts';

const target = object(
  {
    apiVersion: optionalText,
    group: string,
    version: string,
    kind: string,
    name: filledText,
    namespace: optionalText,
  },
  { required: { name: 'name the object' } },
);

/** Most people write it in lower case, as kustomize's own examples do. */
const fieldref = mapped(
  written(object({ fieldPath: optionalText, fieldpath: optionalText })),
  ({ read, value }, place) =>
    says(value, 'fieldPath') && says(value, 'fieldpath')
      ? invalid(place, 'it has both fieldPath and fieldpath', 'keep one of them')
      : read,
);

/** Reads `vars`. */
export function varsReader(locate: Locate): JsonReader<readonly Variable[]> {
  const entry = object(
    { name: filledText, objref: target, fieldref },
    { required: { name: 'name the variable', objref: 'name the object that has the value' } },
  );
  return list(
    mapped(entry, ({ name, objref, fieldref: read }, place): Variable | undefined => {
      if (name === undefined || objref?.name === undefined) return undefined;
      const { apiVersion } = objref;
      const hasGroup = apiVersion?.includes('/') === true;
      return {
        name,
        group: hasGroup ? groupOf(apiVersion) : (objref.group ?? ''),
        version: apiVersion?.slice(apiVersion.indexOf('/') + 1) ?? objref.version ?? '',
        kind: objref.kind ?? '',
        object: objref.name,
        namespace: objref.namespace ?? '',
        fieldPath: read?.fieldPath ?? read?.fieldpath ?? 'metadata.name',
        where: locate(place.path),
      };
    }),
  );
}

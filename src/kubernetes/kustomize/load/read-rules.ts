import { integer, mapped, object } from '../../../base/util/json-reader.ts';
import { invalid, type JsonReader } from '../../../base/util/read-json.ts';
import type { ImageRule, ReplicaRule } from '../entries.ts';
import { filledText, optionalText, type Locate } from './read-value.ts';

/** kustomize takes the name for a regular expression; names of images mean the same in all dialects of them. */
const imageName = mapped(filledText, (name, place) =>
  /^[\w./:@-]+$/.test(name)
    ? name
    : invalid(
        place,
        `expected the name of an image, got ${JSON.stringify(name)}`,
        'name an image without its tag',
      ),
);

/** An entry of `images`. */
export const imageReader: JsonReader<ImageRule> = mapped(
  object(
    {
      name: imageName,
      newName: optionalText,
      newTag: optionalText,
      tagSuffix: optionalText,
      digest: optionalText,
    },
    { required: { name: 'name the image' } },
  ),
  ({ name, ...changes }) => (name === undefined ? undefined : { name, ...changes }),
);

/** An entry of `replicas`. */
export function replicaReader(locate: Locate): JsonReader<ReplicaRule> {
  return mapped(
    object(
      { name: filledText, count: integer },
      { required: { name: 'name the resource', count: 'add the count' } },
    ),
    ({ name, count }, { path }) =>
      name === undefined || count === undefined ? undefined : { name, count, where: locate(path) },
  );
}

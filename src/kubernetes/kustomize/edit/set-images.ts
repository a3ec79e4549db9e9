import { parseYaml } from '../../yaml/index.ts';
import { addToYamlList, removeFromYamlMap, setInYamlMap } from '../../yaml/splice.ts';
import { isObject, type Json } from '../resource.ts';
import { changedEntry, type ImageChange } from './image-change.ts';
import { spliced } from './spliced.ts';

/**
 * Sets entries of `images` in the text of a kustomization; comments stay, new entries go to the end.
 *
 * @param file the name that findings give
 * @throws OpSdkError if the file is not YAML, or `images` not what it should be
 */
export function setImages(text: string, file: string, changes: readonly ImageChange[]): string {
  return spliced(file, () => changes.reduce((before, change) => setImage(before, file, change), text));
}

function setImage(text: string, file: string, change: ImageChange): string {
  const { value } = parseYaml(text, file);
  const images = isObject(value as Json) ? (value as { images?: Json }).images : undefined;
  const entries = Array.isArray(images) ? images : [];
  let edited = text;
  let found = false;
  for (const [index, entry] of entries.entries()) {
    if (!isObject(entry) || entry['name'] !== change.name) continue;
    found = true;
    const wanted = changedEntry(entry, change);
    for (const field of ['newName', 'newTag', 'tagSuffix', 'digest'])
      if (Object.hasOwn(entry, field) && wanted[field] === undefined)
        edited = removeFromYamlMap(edited, ['images', index], field);
    edited = setInYamlMap(edited, ['images', index], wanted);
  }
  return found ? edited : addToYamlList(edited, ['images'], changedEntry({}, change));
}

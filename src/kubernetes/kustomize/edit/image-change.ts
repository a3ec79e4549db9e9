import type { JsonObject } from '../resource.ts';

/** Keeps what the kustomization has. */
export const keep = '*';

/** The wanted entry of `images`. An absent part is removed from it, `*` keeps the present one. */
export interface ImageChange {
  /** The name in the resources, without tag and digest. */
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

const imageName =
  /^(?:(?:\[[\da-fA-F:]+\]|[A-Za-z0-9._-]+)(?::\d+)?\/)?[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const tagPattern = /^[\w][\w.-]{0,127}$/;
const digestPattern = /^[a-z0-9]+(?:[.+_-][a-z0-9]+)*:[0-9a-fA-F]{32,}$/;

/**
 * Reads an argument of `kustomize edit set image`: `NAME=NEW[:TAG][@DIGEST]`, or `NAME[:TAG][@DIGEST]` for the same name.
 *
 * @returns what is wrong, for arguments that are none
 */
export function parseImageChange(argument: string): ImageChange | { readonly problem: string } {
  const equals = argument.indexOf('=');
  const value = argument.slice(equals + 1);
  const { name, tag, digest } = splitImage(value);
  if (equals < 0 && tag === undefined && digest === undefined)
    return { problem: 'it has no new name, tag or digest' };
  const key = equals < 0 ? name : argument.slice(0, equals);
  if (!imageName.test(key)) return { problem: `invalid image name '${key}'` };
  if (equals >= 0 && name !== keep && !imageName.test(name))
    return { problem: name === '' ? 'the new name after = is missing' : `invalid image name '${name}'` };
  if (tag !== undefined && tag !== keep && !tagPattern.test(tag))
    return {
      problem: `invalid tag '${tag}': expected up to 128 letters, digits, dots, dashes and underscores`,
    };
  if (digest !== undefined && digest !== keep && !digestPattern.test(digest))
    return { problem: `invalid digest '${digest}': expected the form sha256:…` };
  return {
    name: key,
    ...(equals < 0 ? {} : { newName: name }),
    ...(tag === undefined ? {} : { newTag: tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The entry that a change makes of one that is there, or of none. */
export function changedEntry(present: JsonObject, change: ImageChange): JsonObject {
  const entry: JsonObject = { name: change.name };
  for (const field of ['newName', 'newTag', 'digest'] as const) {
    const value = change[field] === keep ? present[field] : change[field];
    if (value !== undefined && value !== '') entry[field] = value;
  }
  return entry;
}

/** A colon in front of the last slash belongs to a port. */
function splitImage(value: string): {
  readonly name: string;
  readonly tag: string | undefined;
  readonly digest: string | undefined;
} {
  const at = value.indexOf('@');
  const rest = at < 0 ? value : value.slice(0, at);
  const colon = rest.indexOf(':', rest.lastIndexOf('/') + 1);
  return {
    name: colon < 0 ? rest : rest.slice(0, colon),
    tag: colon < 0 ? undefined : rest.slice(colon + 1),
    digest: at < 0 ? undefined : value.slice(at + 1),
  };
}

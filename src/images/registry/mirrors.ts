import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { formatReference, parseReference } from '../reference.ts';
import type { ImageReference } from '../types.ts';

/** Alternative location for the images of a registry, or of a part of one. */
export interface RegistryMirror {
  /** The mirrored registry, part of a registry, or repository: `docker.io`, `quay.io/team`. The host is in lower case. */
  readonly source: MirrorPlace;
  /** Replaces `source` in image names: `mirror.example.com/hub`. */
  readonly mirror: MirrorPlace & MirrorScheme;
}

/**
 * Scheme of a mirror. By default, mirrors are treated like registries: HTTPS is used, with fallback to plain HTTP for servers on this
 * machine.
 */
export interface MirrorScheme {
  readonly scheme?: 'http' | 'https';
}

/** A name under which an image may be found, in its own registry or in a mirror. */
export interface ImagePlace {
  readonly reference: ImageReference;
  /** Scheme of the mirror; undefined if this is the image's own registry. */
  readonly mirror?: MirrorScheme;
}

interface MirrorPlace {
  readonly registry: string;
  /** Path below the registry, without leading and trailing slashes; `''` for the entire registry. */
  readonly path: string;
}

/**
 * Parses `docker.io=mirror.example.com/hub`; the mirror may begin with `http://` or `https://`.
 * @returns the mirror, or a description of the problem if the text is invalid
 */
export function parseMirror(text: string): RegistryMirror | string {
  // The text may contain a password by mistake. A password must not end up in a log, so no part of the text that may contain one is shown.
  if (text.includes('@'))
    return `expected a mirror without user name, password and digest, got ${JSON.stringify(text.replace(/^.*@/s, '…@'))}: credentials are read from the files of docker and podman`;
  const [source = '', mirror = '', ...more] = text.split('=');
  if (source === '' || mirror === '' || more.length > 0)
    return `expected <registry>=<mirror>, got ${JSON.stringify(text)}`;
  const [, prefix = '', address = ''] = /^(https?:\/\/)?(.*)$/.exec(mirror) ?? [];
  const [from, to] = [placeOf(withLowerHost(source)), placeOf(address)];
  if (typeof from === 'string') return from;
  if (typeof to === 'string') return to;
  if (prefix === '') return { source: from, mirror: to };
  return { source: from, mirror: { ...to, scheme: prefix === 'http://' ? 'http' : 'https' } };
}

/**
 * Converts the host of a source to lower case, because hosts are compared in lower case. The host of a mirror is left unchanged, because
 * credentials are stored under it.
 */
function withLowerHost(name: string): string {
  return name.replace(/^[^/]*/, (host) => host.toLowerCase());
}

function placeOf(text: string): MirrorPlace | string {
  const expected = `expected a registry, such as mirror.example.com or mirror.example.com/hub, got ${JSON.stringify(text)}`;
  const [host = ''] = text.split('/');
  // Without a dot or port, `team` would be a repository of Docker Hub and not a registry.
  if (!/[.:]/.test(host) && host !== 'localhost') return expected;
  try {
    const { registry, repository } = parseReference(`${text}/name/name`);
    return { registry, path: repository.replace(/\/?name\/name$/, '') };
  } catch (error) {
    if (isOpSdkError(error)) return expected;
    throw error;
  }
}

/**
 * Returns the names under which an image may be found, best first. The mirrors whose source is the longest matching part of the image's
 * name come first, the name itself comes last.
 */
export function placesOf(
  reference: ImageReference,
  mirrors: readonly RegistryMirror[],
): readonly ImagePlace[] {
  const fitting = mirrors.flatMap(({ source, mirror: { registry, path, ...mirror } }) => {
    const rest = restOf(reference, source);
    // A mirror of a single repository needs a path, because otherwise no repository name is left.
    if (rest === undefined || rest + path === '') return [];
    const repository = [path, rest].filter((part) => part !== '').join('/');
    return [{ rest, place: { reference: { ...reference, registry, repository }, mirror } }];
  });
  const shortest = Math.min(...fitting.map(({ rest }) => rest.length));
  const mirrored = fitting.filter(({ rest }) => rest.length === shortest).map(({ place }) => place);
  return [...mirrored, { reference }];
}

/** Returns the repository's path relative to a place: `''` if the repository is the place itself, undefined if it is outside the place. */
function restOf(
  { registry, repository }: ImageReference,
  { path, ...place }: MirrorPlace,
): string | undefined {
  if (registry.toLowerCase() !== place.registry) return undefined;
  if (path === '') return repository;
  // `docker.io/nginx` as an image name is `docker.io/library/nginx`.
  if (repository === parseReference(`${place.registry}/${path}`).repository) return '';
  return repository.startsWith(`${path}/`) ? repository.slice(path.length + 1) : undefined;
}

/** Error codes which show that a mirror is unreachable. Such a mirror is not tried for further images. */
const unreachable: ReadonlySet<string> = new Set(['oci/registry-unreachable', 'oci/proxy']);

/**
 * Error codes which show that a mirror lacks the image or refuses it, so that the next place is tried. Any other code, such as a digest
 * mismatch, ends the search with an error.
 */
const passedOver: ReadonlySet<string> = new Set([
  ...unreachable,
  'oci/not-found',
  'oci/denied',
  'oci/authentication-required',
  'oci/too-many-requests',
  'oci/registry-error',
]);

/** The mirrors that were unreachable, for each command. The key is the signal of the command, because all its pulls share that signal. */
const unreachableMirrors = new WeakMap<AbortSignal, Set<string>>();

interface Asking {
  readonly signal: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

/**
 * Tries the mirrors of an image in order, then its own registry. Skips mirrors that were unreachable before under the same signal.
 * @throws OpSdkError with the findings of the last place tried, followed by those of the mirrors tried before. The last place is the
 * image's own registry, or a mirror that failed with an error outside {@link passedOver}
 */
export async function throughMirrors<T>(
  reference: ImageReference,
  mirrors: readonly RegistryMirror[],
  ask: (place: ImagePlace) => Promise<T>,
  { signal, onProgress = () => undefined }: Asking,
): Promise<T> {
  const gone = unreachableMirrors.get(signal) ?? new Set();
  unreachableMirrors.set(signal, gone);
  const failures: Finding[] = [];
  for (const place of placesOf(reference, mirrors)) {
    const isLast = place.mirror === undefined;
    const { registry } = place.reference;
    if (!isLast && gone.has(registry)) {
      onProgress(`not asking the mirror ${registry}, which could not be reached before`);
      continue;
    }
    try {
      if (!isLast) onProgress(`asking the mirror ${formatReference(place.reference)}`);
      return await ask(place);
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      const { findings } = error;
      if (isLast || !findings.every(({ code }) => passedOver.has(code)))
        throw failures.length === 0 ? error : new OpSdkError([...findings, ...failures]);
      failures.push(...findings);
      if (findings.some(({ code }) => unreachable.has(code))) gone.add(registry);
      onProgress(`${findings[0].message}; going on without this mirror`);
    }
  }
  throw new TypeError('an image is in its own registry at least');
}

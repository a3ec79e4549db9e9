import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { formatReference, parseReference } from '../reference.ts';
import type { ImageReference } from '../types.ts';

/** Another place for the images of a registry, or of a part of one. */
export interface RegistryMirror {
  /** Origin of its images: `docker.io`, `quay.io/team`, or one repository. Its host is in lower case. */
  readonly source: MirrorPlace;
  /** Replacement of `source` in their names: `mirror.example.com/hub`. */
  readonly mirror: MirrorPlace & MirrorScheme;
}

/** Scheme of a mirror. Default: as for registries: over HTTPS, on this machine perhaps over plain HTTP. */
export interface MirrorScheme {
  readonly scheme?: 'http' | 'https';
}

/** A name under which an image may be found. */
export interface ImagePlace {
  readonly reference: ImageReference;
  /** Unless it is the image's own registry. */
  readonly mirror?: MirrorScheme;
}

interface MirrorPlace {
  readonly registry: string;
  /** The folder in it, without slashes at its ends; `''` for all of it. */
  readonly path: string;
}

/**
 * Reads `docker.io=mirror.example.com/hub`, with `http://` or `https://` in front of the mirror if need be.
 * @returns what is wrong with it as text
 */
export function parseMirror(text: string): RegistryMirror | string {
  // Whoever writes a password here should not find it in a log: neither it nor what may be a part of it is shown.
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

/** Hosts are compared in lower case; that of a mirror stays as it is, for credentials are kept under it. */
function withLowerHost(name: string): string {
  return name.replace(/^[^/]*/, (host) => host.toLowerCase());
}

function placeOf(text: string): MirrorPlace | string {
  const expected = `expected a registry, such as mirror.example.com or mirror.example.com/hub, got ${JSON.stringify(text)}`;
  const [host = ''] = text.split('/');
  // `team` alone would be a repository of the hub.
  if (!/[.:]/.test(host) && host !== 'localhost') return expected;
  try {
    const { registry, repository } = parseReference(`${text}/name/name`);
    return { registry, path: repository.replace(/\/?name\/name$/, '') };
  } catch (error) {
    if (isOpSdkError(error)) return expected;
    throw error;
  }
}

/** Where an image may be found, best first: in the mirrors of the longest part of its name, then under the name itself. */
export function placesOf(
  reference: ImageReference,
  mirrors: readonly RegistryMirror[],
): readonly ImagePlace[] {
  const fitting = mirrors.flatMap(({ source, mirror: { registry, path, ...mirror } }) => {
    const rest = restOf(reference, source);
    // A whole repository needs a name in its mirror.
    if (rest === undefined || rest + path === '') return [];
    const repository = [path, rest].filter((part) => part !== '').join('/');
    return [{ rest, place: { reference: { ...reference, registry, repository }, mirror } }];
  });
  const shortest = Math.min(...fitting.map(({ rest }) => rest.length));
  const mirrored = fitting.filter(({ rest }) => rest.length === shortest).map(({ place }) => place);
  return [...mirrored, { reference }];
}

/** The repository below a place, `''` if it is the place itself; undefined if it is elsewhere. */
function restOf(
  { registry, repository }: ImageReference,
  { path, ...place }: MirrorPlace,
): string | undefined {
  if (registry.toLowerCase() !== place.registry) return undefined;
  if (path === '') return repository;
  // As the name of an image `docker.io/nginx` is `docker.io/library/nginx`.
  if (repository === parseReference(`${place.registry}/${path}`).repository) return '';
  return repository.startsWith(`${path}/`) ? repository.slice(path.length + 1) : undefined;
}

/** Codes of a mirror that cannot be reached, and will not be for the next image. */
const unreachable: ReadonlySet<string> = new Set(['oci/registry-unreachable', 'oci/proxy']);

/** Codes of a mirror that does not have the image, or does not give it to us. All else, such as other bytes than it says, is an error. */
const passedOver: ReadonlySet<string> = new Set([
  ...unreachable,
  'oci/not-found',
  'oci/denied',
  'oci/authentication-required',
  'oci/too-many-requests',
  'oci/registry-error',
]);

/** The registries of mirrors that could not be reached. A command has one signal for all that it pulls. */
const unreachableMirrors = new WeakMap<AbortSignal, Set<string>>();

interface Asking {
  readonly signal: AbortSignal;
  readonly onProgress?: (line: string) => void;
}

/**
 * Asks the mirrors of an image one after the other, and its own registry last. What could not be reached once is not asked
 * again for the same signal.
 * @throws OpSdkError with the findings of the place that was asked last, the image's own registry unless a mirror cannot be
 * trusted, and then those of the mirrors before it
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

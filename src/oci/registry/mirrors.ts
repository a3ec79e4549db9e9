import { isOpSdkError, OpSdkError } from '../../errors/index.ts';
import { formatReference, parseReference } from '../reference.ts';
import type { ImageReference } from '../types.ts';

/** Another place for the images of a registry, or of a part of one. */
export interface RegistryMirror {
  /** Whose images it has: `docker.io`, `quay.io/team`. */
  readonly source: MirrorPlace;
  /** What takes the place of `source` in their names: `mirror.example.com/hub`. */
  readonly mirror: MirrorPlace & MirrorScheme;
}

/** How a mirror is spoken to. Without a scheme as registries are: over HTTPS, on this machine perhaps over plain HTTP. */
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
  const [from, to] = [placeOf(source), placeOf(address)];
  if (typeof from === 'string') return from;
  if (typeof to === 'string') return to;
  if (prefix === '') return { source: from, mirror: to };
  return { source: from, mirror: { ...to, scheme: prefix === 'http://' ? 'http' : 'https' } };
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
  const fitting = mirrors.filter(({ source }) => restOf(reference, source) !== undefined);
  const longest = Math.max(...fitting.map(({ source }) => source.path.length));
  const mirrored = fitting
    .filter(({ source }) => source.path.length === longest)
    .map(({ source, mirror: { registry, path, ...mirror } }) => {
      const rest = restOf(reference, source) ?? '';
      const repository = path === '' ? rest : `${path}/${rest}`;
      return { reference: { ...reference, registry, repository }, mirror };
    });
  return [...mirrored, { reference }];
}

/** The repository below a place; undefined if it is elsewhere. */
function restOf(
  { registry, repository }: ImageReference,
  { path, ...place }: MirrorPlace,
): string | undefined {
  if (registry !== place.registry) return undefined;
  if (path === '') return repository;
  return repository.startsWith(`${path}/`) ? repository.slice(path.length + 1) : undefined;
}

/** Of a mirror: it does not have the image, or does not give it to us. All else, such as other bytes than it says, is an error. */
const passedOver: ReadonlySet<string> = new Set([
  'oci/not-found',
  'oci/denied',
  'oci/authentication-required',
  'oci/registry-unreachable',
  'oci/too-many-requests',
]);

/**
 * Asks the mirrors of an image one after the other, and its own registry last.
 * @throws OpSdkError of the image's own registry, with those of the mirrors before it
 */
export async function throughMirrors<T>(
  reference: ImageReference,
  mirrors: readonly RegistryMirror[],
  ask: (place: ImagePlace) => Promise<T>,
  onProgress: (line: string) => void,
): Promise<T> {
  const failures: OpSdkError[] = [];
  for (const place of placesOf(reference, mirrors)) {
    const isLast = place.mirror === undefined;
    try {
      if (!isLast) onProgress(`asking the mirror ${formatReference(place.reference)}`);
      return await ask(place);
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      failures.push(error);
      if (!isLast && error.findings.every(({ code }) => passedOver.has(code))) continue;
      const [first, ...more] = failures.flatMap(({ findings }) => findings);
      throw failures.length === 1 || first === undefined ? error : new OpSdkError([first, ...more]);
    }
  }
  throw new TypeError('an image is in its own registry at least');
}

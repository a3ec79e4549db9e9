import type { Resource } from '../../api/index.ts';

/** The URL path of a collection, an object or a subresource; all parts percent-encoded. */
export function resourcePath(
  resource: Pick<Resource, 'group' | 'version' | 'plural'>,
  place: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
): string {
  const parts =
    resource.group === '' ? ['api', resource.version] : ['apis', resource.group, resource.version];
  if (place.namespace !== undefined && place.namespace !== '') parts.push('namespaces', place.namespace);
  parts.push(resource.plural);
  if (place.name !== undefined) parts.push(place.name);
  if (place.subresource !== undefined) parts.push(place.subresource);
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** The parameters of a request; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with its query; undefined values are left out, the empty string is kept. */
export function withQuery(path: string, query: Query | undefined): string {
  let text = path;
  let mark = path.includes('?') ? '&' : '?';
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    text += `${mark}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    mark = '&';
  }
  return text;
}

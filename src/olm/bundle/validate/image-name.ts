const component = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';

const hostPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';

const host = `(?:${hostPart}(?:\\.${hostPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;

const tag = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';

const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';

const form = new RegExp(`^(?:(${host})/)?(${component}(?:/${component})*)(?::(${tag}))?(?:@(${digest}))?$`);

/** Registered digest algorithms, each with the number of hexadecimal digits of its digests. */
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * Returns the problem with an image's name; undefined if the name is valid. Source: github.com/distribution/reference
 * `ParseNormalizedNamed`.
 */
export function imageNameProblem(text: string): string | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1];
  if (scheme !== undefined) return `the name of an image has no scheme such as ${scheme}://`;
  if (/^[a-f0-9]{64}$/.test(text)) return 'it is a bare digest, not the name of an image';
  const match = form.exec(text);
  if (match === null)
    return 'it is not of the form [registry/]repository[:tag][@digest], with the repository in lower case';
  const [, , repository = '', , sum] = match;
  if (repository.length > 255) return `its repository has ${repository.length} characters; 255 are allowed`;
  if (sum === undefined) return undefined;
  const [algorithm = '', hex = ''] = sum.split(':');
  const length = digestLengths[algorithm];
  if (length === undefined) return `unknown digest algorithm ${algorithm}; sha256 is usual`;
  return hex.length === length && /^[0-9a-f]+$/.test(hex)
    ? undefined
    : `its digest is not ${algorithm}: and ${length} hexadecimal digits in lower case`;
}

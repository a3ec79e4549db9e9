import { checkPlural, checkSubdomain } from '../../project/index.ts';

/** The versions of ConversionReview that the API server speaks. Source: apiextensions `acceptedConversionReviewVersions`. */
const accepted = ['v1', 'v1beta1'];

/**
 * What is wrong with `conversionReviewVersions`.
 * Source: apiextensions `validateConversionReviewVersions`.
 * @returns the messages; `at` is the index of the version that is meant
 */
export function reviewVersionProblems(
  versions: readonly string[],
): readonly { readonly message: string; readonly at?: number }[] {
  if (versions.length === 0) return [{ message: '`conversionReviewVersions` is empty' }];
  const problems = versions.flatMap((version, at) => {
    if (versions.indexOf(version) < at)
      return [{ message: `the review version '${version}' stands twice`, at }];
    const problem = checkPlural(version);
    return problem === undefined
      ? []
      : [{ message: `the review version '${version}' is not valid: ${problem}`, at }];
  });
  const known = versions.some((version) => accepted.includes(version));
  return known
    ? problems
    : [
        ...problems,
        { message: `none of the review versions is one that the API server speaks (${accepted.join(', ')})` },
      ];
}

/** Source: apiserver `webhook.ValidateWebhookURL`. */
export function urlProblem(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) return 'it is not a URL';
  if (parsed.protocol !== 'https:') return 'its scheme is not https';
  // `new URL` adds the slashes that Go's parser insists on.
  if (!/^https:\/\/[^/]/i.test(url)) return 'it has no host';
  if (parsed.username !== '' || parsed.password !== '') return 'it holds a user';
  if (url.includes('#')) return 'it has a fragment';
  return url.includes('?') ? 'it has a query' : undefined;
}

/** Source: apiserver `webhook.ValidateWebhookService`: empty, `/`, or segments that are DNS subdomains. */
export function servicePathProblem(path: string): string | undefined {
  if (path === '' || path === '/') return undefined;
  if (!path.startsWith('/')) return 'it does not start with a slash';
  for (const segment of path
    .slice(1)
    .replace(/(?<=.)\/$/, '')
    .split('/')) {
    if (segment === '' || segment === '/') return 'a part of it is empty';
    const problem = checkSubdomain(segment);
    if (problem !== undefined) return `in its part ${JSON.stringify(segment)}, ${problem}`;
  }
  return undefined;
}

/** The field is bytes: what is not base64 cannot even be read. On creation the API server takes any bytes, placeholders too. */
export function caBundleProblem(text: string): string | undefined {
  // Go's decoder passes over line breaks.
  const bare = text.replace(/[\r\n]/g, '');
  const isBase64 = bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
  return isBase64 ? undefined : 'it is not base64';
}

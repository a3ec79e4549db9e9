/** Licence and owner from which op-sdk makes the header of source files. */
interface HeaderTerms {
  readonly license: License;
  readonly owner: string | undefined;
}

/** Reads licence and owner from the header of a project; undefined for a text that op-sdk has not written. */
export function readHeader(text: string): HeaderTerms | undefined {
  const header = text.replaceAll('\r\n', '\n').trimEnd();
  const owner = /^Copyright (.+)\.$/m.exec(header)?.[1];
  const license = licenses.find((each) => boilerplate(each, owner) === header);
  return license === undefined ? undefined : { license, owner };
}

/** Returns the content of the file with the header of new source files. */
export function headerFile({ license, owner }: HeaderTerms): string {
  return `${boilerplate(license, owner)}\n`;
}

/**
 * Replaces the licence in the text of package.json if it is one of the licences that `init` writes.
 * @returns undefined if package.json has another licence or none
 */
export function withLicense(packageJson: string, license: License): string | undefined {
  const ours = Object.values(spdxOf).join('|');
  const pattern = new RegExp(`^(\\s*"license"\\s*:\\s*)"(?:${ours})"`, 'm');
  return pattern.test(packageJson)
    ? packageJson.replace(pattern, (_, key: string) => `${key}${JSON.stringify(spdxOf[license])}`)
    : undefined;
}

// The notice that the licence requires, verbatim. Source: Apache License 2.0, appendix.
const apache2 = `Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.`;

/** The licences that `init` supports. */
export const licenses = ['apache2', 'none'] as const;

export type License = (typeof licenses)[number];

/** The identifiers of the licences in package.json. Source: https://spdx.org/licenses and npm's documentation. */
export const spdxOf: Readonly<Record<License, string>> = { apache2: 'Apache-2.0', none: 'UNLICENSED' };

/**
 * Returns the header of new source files: their owner, and the notice of the licence. It contains no year, so that the same command gives
 * the same files next year.
 * @returns text without comment markers; empty without owner and licence
 */
export function boilerplate(license: License, owner: string | undefined): string {
  const copyright = owner === undefined ? [] : [`Copyright ${owner}.`];
  const notice = license === 'apache2' ? [apache2] : [];
  return [...copyright, ...notice].join('\n\n');
}

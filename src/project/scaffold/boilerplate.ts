/** The licences that `init` knows. */
export const licenses = ['apache2', 'none'] as const;
export type License = (typeof licenses)[number];

/** The identifiers of the licences in package.json. Source: https://spdx.org/licenses and npm's documentation. */
export const spdxOf: Readonly<Record<License, string>> = { apache2: 'Apache-2.0', none: 'UNLICENSED' };

// The notice that the licence itself asks for, word by word. Source: Apache License 2.0, appendix.
const apache2 = `Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.`;

/**
 * The header of new source files: their owner, and the notice of the licence. Without a year, so that the same
 * command gives the same files next year.
 * @returns text without comment signs; empty if there is nothing to say
 */
export function boilerplate(license: License, owner: string | undefined): string {
  const copyright = owner === undefined ? [] : [`Copyright ${owner}.`];
  const notice = license === 'apache2' ? [apache2] : [];
  return [...copyright, ...notice].join('\n\n');
}

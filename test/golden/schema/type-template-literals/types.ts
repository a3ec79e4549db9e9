import type { CustomResource, Int32 } from 'opsdk';

type Unit = 'Ki' | 'Mi' | 'Gi';
type Size = `${number}${Unit}`;
type Version = `v${bigint}` | 'latest';
type Prefixed<T extends string> = `x-${T}`;

export interface Sample extends CustomResource {
  spec: {
    size: `${number}Gi`;
    version: `v${string}`;
    /** How big. */
    units: Size;
    orLatest: Version;
    /** Special characters are themselves. */
    escaped: `a.b*[${string}]|$^`;
    nested: `<${Size}>`;
    generic: Prefixed<string>;
    genericLiteral: Prefixed<'a' | 'b'>;
    literals: `${'a' | 'b'}-${1 | 2}`;
    flag: `is-${boolean}`;
    int: `${Int32}%`;
    covered: 'a5' | `a${number}` | 'b';
    /** @default 5Gi */
    defaulted?: `${number}Gi` | null;
    list: `${number}s`[];
    record: Record<string, `${number}s`>;
    /** @maxLength 5 */
    tagged?: `v${string}`;
    /** Any string, with suggestions. */
    suggested: `v${string}` | (string & {});
  };
}

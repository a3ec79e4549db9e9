import type { CustomResource, Int32, ListMap, ListSet } from 'opsdk';
import type * as shared from '../objects/shared/types.ts';

enum Color {
  Red = 'red',
  Green = 'green',
}

const sizes = { small: 1, large: 10 } as const;
const names = ['a', 'b'] as const;

interface Item {
  /** @minLength 1 */
  name: string;
  /** @default 3 */
  weight?: Int32;
  note?: string;
}

/** @cel self.a != "" */
interface Left {
  a: string;
}

/** @cel self.b != "" */
interface Right {
  b?: string;
}

interface Joined extends Left, Right {
  c?: string;
}

interface Without extends Omit<Item, 'note'> {
  more: string;
}

interface Loose extends Partial<Item> {
  more?: string;
}

type Named<T extends { name: string }> = ListMap<T, 'name'>;
type Page<T> = { items: T[]; next?: string };
type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type IfString<T> = T extends string ? 'string' : 'other';

export interface Sample extends CustomResource {
  spec: {
    byColor: Record<Color, string>;
    someColors?: { [K in Color]?: string };
    notRed: Exclude<Color, Color.Red>;
    partialRecord: Partial<Record<'a' | 'b', Int32>>;
    sizeName: keyof typeof sizes;
    size: (typeof sizes)[keyof typeof sizes];
    name: (typeof names)[number];
    first: (typeof names)[0];
    picked: ListMap<Pick<Item, 'name'>, 'name'>;
    named: Named<Item>;
    set: ListSet<Color>;
    joined: Joined;
    without: Without;
    loose: Loose;
    page: Page<Item>;
    pages: Page<Page<string>>;
    optional: Optional<Item, 'name'>;
    same: Left | Left;
    maybe: boolean | null;
    readonly: Readonly<string[]>;
    list: readonly (Int32 | null)[];
    capital: Capitalize<'small'>;
    template: `${Color}-${'x' | 'y'}`;
    conditional: IfString<'x'>;
    element: Item[][number];
    field: Required<Item>['weight'];
    qualified: shared.Shared;
    branded: string & { readonly __brand?: 'id' };
    intersection: Left & Right & { c: Int32 };
    parenthesised: (string | null)[];
    optionalList?: string[] | undefined;
    "quo'ted": string;
    'quo"ted': string;
    123: string;
    ['computed']: string;
  };
}

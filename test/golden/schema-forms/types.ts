// Types as people write them; written.ts says the same without the forms.
import type { CustomResource, Int32 } from 'opsdk';
import type { Limits, Port } from './written.ts';

interface WithPort {
  /**
   * The number.
   *
   * @minimum 1
   * @maximum 65535
   */
  number: Int32;
  /** @pattern ^[a-z]+$ */
  name: string;
}
interface AlsoWithPort {
  number: Int32;
  more: string;
}

declare function makePort(limits: Limits, other?: Port): Port;
const makeConst = (limits: Limits): Port => ({ number: 1, name: limits.nested.text });
type Maker = (name: string) => Port;
declare function fetchPort(): Promise<Port>;

const port: Port = { number: 80 };
const literals = { mode: 'fast', on: true } as const;
const list = ['a', 'b'] as const;
const modes = { fast: 'f', slow: 's' } as const;
const region = 'region';
enum Keys {
  Zone = 'zone',
}

type DeepPartial<T> = { [K in keyof T]?: T[K] extends (infer I)[] ? I[] : T[K] extends object ? DeepPartial<T[K]> : T[K] };

interface Merged {
  first: string;
}
interface Merged {
  /** @minimum 2 */
  second: Int32;
}

interface Box<T = string> {
  item: T;
  items: T[];
}

interface Team {
  /**
   * Who leads.
   *
   * @minProperties 1
   */
  lead: { name: string };
  /**
   * Who belongs to it.
   *
   * @maxItems 9
   */
  members: { age: Int32 }[];
  /**
   * Their nicknames.
   *
   * @items.minLength 2
   */
  nicknames: string[];
}

type DeepOptional<T> = T extends (infer Item)[]
  ? DeepOptional<Item>[]
  : T extends object
    ? { [K in keyof T]?: DeepOptional<T[K]> }
    : T;

interface AtLeast {
  /** @minimum 1 */
  count?: Int32;
  rest: string;
}

interface AtMost {
  /** @maximum 9 */
  count?: Int32;
}

interface InParts {
  amount: Int32;
}
interface InParts {
  /** @minimum 3 */
  amount: Int32;
}

interface Inherits extends AtLeast, AtMost {}
declare const inherits: Inherits;
const makeCopy = () => ({ ...inherits });

export interface Forms extends CustomResource {
  spec: {
    sharedField: WithPort & AlsoWithPort;
    returned: ReturnType<typeof makePort>;
    returnedOfConst: ReturnType<typeof makeConst>;
    returnedType: ReturnType<Maker>;
    awaited: Awaited<Promise<Port>>;
    awaitedReturn: Awaited<ReturnType<typeof fetchPort>>;
    parameter: Parameters<typeof makePort>[0];
    optionalParameter?: Parameters<typeof makePort>[1];
    imported: import('./written.ts').Port;
    importedTag: { number: import('opsdk').Int32 };
    ofConstWithType: typeof port;
    ofLiterals: typeof literals;
    itemsOfList: (typeof list)[number];
    keysOfConst: keyof typeof modes;
    valuesOfConst: (typeof modes)[keyof typeof modes];
    computed: { [region]: string; [Keys.Zone]: string };
    computedTag: {
      /** @minLength 1 */
      [region]: string;
    };
    deep: DeepPartial<Limits>;
    merged: Merged;
    oneLine: { /** @minLength 1 */ a: string; /** @minimum 1 */ b?: Int32 };
    extracted: Extract<'a' | 'b' | 'c', 'a'>;
    excluded: Exclude<'a' | 'b' | 'c', 'a'>;
    nonNullable: NonNullable<Int32 | null>;
    indexed: Limits['nested'];
    record: Record<string, Int32>;
    readonly: Readonly<Port>;
    required: Required<Port>;
    generic: Box<Int32>;
    genericDefault: Box;
    deepWithDocs: DeepOptional<Team>;
    sharedOptional: Partial<AtLeast & AtMost>;
    sharedPicked: Omit<AtLeast & AtMost, 'rest'>;
    mergedOptional: Partial<InParts>;
    nestedOptional: Partial<AtLeast & AtMost & { more: string }>;
    inheritedOptional: Partial<Inherits>;
    inheritedPicked: Pick<Inherits, 'count'>;
    inheritedField: { count?: Inherits['count'] };
    inheritedCopy: ReturnType<typeof makeCopy>;
  };
}

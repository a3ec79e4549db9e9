// What the forms of types.ts say, written out.
import type { CustomResource, Int32, Int64 } from 'opsdk';

export interface Port {
  /**
   * The number.
   *
   * @minimum 1
   * @maximum 65535
   */
  number: Int32;
  /** @pattern ^[a-z]+$ */
  name?: string;
}

export interface Limits {
  /** @default 3 */
  retries?: Int32;
  bytes: Int64;
  nested: {
    /** @minLength 2 */
    text: string;
    list: Int32[];
  };
}

export interface Written extends CustomResource {
  spec: {
    sharedField: {
      /**
       * The number.
       *
       * @minimum 1
       * @maximum 65535
       */
      number: Int32;
      /** @pattern ^[a-z]+$ */
      name: string;
      more: string;
    };
    returned: Port;
    returnedOfConst: Port;
    returnedType: Port;
    awaited: Port;
    awaitedReturn: Port;
    parameter: Limits;
    optionalParameter?: Port;
    imported: Port;
    importedTag: { number: Int32 };
    ofConstWithType: Port;
    ofLiterals: { mode: 'fast'; on: true };
    itemsOfList: 'a' | 'b';
    keysOfConst: 'fast' | 'slow';
    valuesOfConst: 'f' | 's';
    computed: { region: string; zone: string };
    computedTag: {
      /** @minLength 1 */
      region: string;
    };
    deep: {
      /** @default 3 */
      retries?: Int32;
      bytes?: Int64;
      nested?: {
        /** @minLength 2 */
        text?: string;
        list?: Int32[];
      };
    };
    merged: {
      first: string;
      /** @minimum 2 */
      second: Int32;
    };
    oneLine: {
      /** @minLength 1 */
      a: string;
      /** @minimum 1 */
      b?: Int32;
    };
    extracted: 'a';
    excluded: 'b' | 'c';
    nonNullable: Int32;
    indexed: {
      /** @minLength 2 */
      text: string;
      list: Int32[];
    };
    record: Record<string, Int32>;
    readonly: Port;
    required: {
      /**
       * The number.
       *
       * @minimum 1
       * @maximum 65535
       */
      number: Int32;
      /** @pattern ^[a-z]+$ */
      name: string;
    };
    generic: { item: Int32; items: Int32[] };
    genericDefault: { item: string; items: string[] };
    deepWithDocs: {
      /**
       * Who leads.
       *
       * @minProperties 1
       */
      lead?: { name?: string };
      /**
       * Who belongs to it.
       *
       * @maxItems 9
       */
      members?: { age?: Int32 }[];
      /**
       * Their nicknames.
       *
       * @items.minLength 2
       */
      nicknames?: string[];
    };
    sharedOptional: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
      rest?: string;
    };
    sharedPicked: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
    };
    mergedOptional: {
      /** @minimum 3 */
      amount?: Int32;
    };
    nestedOptional: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
      rest?: string;
      more?: string;
    };
    inheritedOptional: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
      rest?: string;
    };
    inheritedPicked: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
    };
    inheritedField: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
    };
    inheritedCopy: {
      /**
       * @minimum 1
       * @maximum 9
       */
      count?: Int32;
      rest: string;
    };
  };
}

import type { CustomResource, Int32 } from 'opsdk';

interface Open {
  known: string;
  [key: string]: string;
}

interface Extended extends Record<string, string> {
  known: string;
}

const key = Symbol('key');

interface Symbols {
  [key]: string;
  name: string;
}

interface SymbolIndex {
  [key: symbol]: string;
}

interface Numbers {
  [index: number]: string;
}

export interface Sample extends CustomResource {
  spec: {
    open: Open;
    extended: Extended;
    symbols: Symbols;
    symbolIndex: SymbolIndex;
    numbers: Numbers;
    record: Record<number, string>;
    symbolRecord: Record<symbol, string>;
    both: Record<'a', Int32> & Record<string, Int32>;
    iterator: { [Symbol.iterator]: string };
  };
}

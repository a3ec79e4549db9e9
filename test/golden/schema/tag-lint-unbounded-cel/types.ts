import type { CustomResource, ListMap } from 'opsdk';

interface Port {
  name: string;
}

/** @cel self.names.all(name, name in self.known) && self.other.mode == "all" */
interface Looped {
  names: string[];
  known: string[];
  unused: string[];
  other: { mode: 'all' | 'none'; list?: string[] };
}

export interface Sample extends CustomResource {
  spec: {
    /** @items.cel self.name != "x" */
    ports?: ListMap<Port, 'name'>;
    looped?: Looped;
    /** @cel self.matches("^a+$") */
    searched?: string;
    /** @cel self.startsWith("a") */
    cheap?: string;
    /**
     * @maxItems 10
     * @items.maxLength 10
     * @cel self.all(item, item.matches("a"))
     */
    bounded?: string[];
    /** @cel self.size() < 5 */
    counted?: string[];
    /** @values.immutable */
    values?: Record<string, string>;
  };
}

import type { CustomResource, Int32, ListMap } from 'opsdk';

interface Port {
  name: string;
}

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
    /** @cel self.min < self.max */
    range?: { min: Int32; max: Int32; labels?: Record<string, string> };
    /** @cel self.names.all(name, name != "x") && self.other.mode == "all" */
    looped?: Looped;
  };
}

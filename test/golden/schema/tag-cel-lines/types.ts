import type { CustomResource } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /**
     * @cel self.all(key,
     *   key.startsWith("a") ||
     *   key == "b") : "keys"
     */
    map?: Record<string, string>;
    /** @cel {"rule": "self\n!= ''", "message": "empty"} */
    text?: string;
    /** @cel self.matches("^a:b$") ? self != "a : b" : self == "c" */
    ternary?: string;
    /** @cel self.matches("a*\/b") : "a comment's end" */
    end?: string;
  };
}

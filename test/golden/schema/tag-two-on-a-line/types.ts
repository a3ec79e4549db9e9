import type { CustomResource, Int32 } from 'opsdk';

export interface Sample extends CustomResource {
  spec: {
    /** Both count. @minimum 1 @maximum 5 */
    size?: Int32;
    /** In `@minimum 9` nothing is meant, nor in mail@example.com. */
    text?: string;
  };
}

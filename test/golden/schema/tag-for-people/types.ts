import type { CustomResource, Int32 } from 'opsdk';

/**
 * A size, as other packages document their types.
 *
 * {@inheritDoc Amount}
 *
 * @public
 * @beta
 * @since 1.2
 * @see {@link Sample}
 * @typeParam T - nothing of this
 * @template U
 * @throws {RangeError} when it is too large
 * @example
 * ```yaml
 * size: 3
 * ```
 */
type Size = Int32;

/**
 * The levels.
 * @enum {string}
 * @readonly
 */
type Level = 'high' | 'low';

export interface Sample extends CustomResource {
  spec: {
    /**
     * How many.
     *
     * @defaultValue `3`
     * @remarks Not more than there are nodes.
     * @param context - of others
     * @returns nothing
     * @internal
     */
    size?: Size;
    /** @deprecated use size */
    count?: Size;
    /**
     * @defaultValue the greatest that fits
     * @default 1
     */
    documented?: Size;
    /**
     * @type {string}
     * @description The level, said as JSDoc says it.
     * @category Levels
     */
    level?: Level;
    /**
     * ```ts
     * @minimum 3
     * ```
     */
    shown?: Int32;
  };
}

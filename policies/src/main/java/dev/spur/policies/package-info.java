/** Registry of all scheduling policies by name. */
@NullMarked
package dev.spur.policies;

import org.jspecify.annotations.NullMarked;

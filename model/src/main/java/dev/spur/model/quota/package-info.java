/**
 * The rules of borrowing and lending between tenants, defined over a whole problem. The solver and the plan validator
 * use the same definitions, and each applies them independently.
 */
@NullMarked
package dev.spur.model.quota;

import org.jspecify.annotations.NullMarked;

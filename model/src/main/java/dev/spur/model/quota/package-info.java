/**
 * The rules of borrowing and lending between tenants, stated over a whole problem. Solver and judge read the same
 * definitions and apply them on their own.
 */
@NullMarked
package dev.spur.model.quota;

import org.jspecify.annotations.NullMarked;

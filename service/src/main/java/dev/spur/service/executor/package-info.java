/**
 * What the programs that run jobs on nodes call: registration under a lease, desired state, and the steps of
 * assignments. A device is handed on only when whoever held it has given it back, or its lease and the grace after it
 * have ended.
 */
@NullMarked
package dev.spur.service.executor;

import org.jspecify.annotations.NullMarked;

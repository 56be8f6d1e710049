/**
 * The words of the domain: clusters, jobs, throughput profiles, rounds and plans as values that cannot be wrong. Every
 * other module speaks in these types. No framework, no solver and no SQL may come in.
 */
@NullMarked
package dev.spur.model;

import org.jspecify.annotations.NullMarked;

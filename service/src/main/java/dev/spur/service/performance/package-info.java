/**
 * How fast jobs are expected to run: from what they state, from what they report while they run, and from other jobs of
 * their family. What is learnt stands in the database; a replica remembers only what it can read again.
 */
@NullMarked
package dev.spur.service.performance;

import org.jspecify.annotations.NullMarked;

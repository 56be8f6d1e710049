/** Policies that walk a list: an order of the jobs, and each takes what it asks for. */
@NullMarked
package dev.spur.policies.list;

import org.jspecify.annotations.NullMarked;

/**
 * A cluster, jobs and an executor for people who try Spur: all of it made up, and all of it through the public
 * interface. Nothing else may depend on it.
 */
@NullMarked
package dev.spur.service.demo;

import org.jspecify.annotations.NullMarked;

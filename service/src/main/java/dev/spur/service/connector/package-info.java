/**
 * Platforms that start and stop jobs themselves: what they show is entered into the cluster, what plans say is carried
 * out on them. What a connector may do is for operators to say.
 */
@NullMarked
package dev.spur.service.connector;

import org.jspecify.annotations.NullMarked;

/**
 * The two routes of AdaptDL's supervisor, for training code that was written for it and has no token. What it may do is
 * bound to the key of one generation of one job: tell how fast that is, and learn where its members are.
 */
@NullMarked
package dev.spur.service.adaptdl;

import org.jspecify.annotations.NullMarked;

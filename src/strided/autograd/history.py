"""Where a tensor comes from: its edge in the graph, and how a view learns that it was rewritten."""

from __future__ import annotations

from strided._native import Tensor
from strided.autograd.node import Edge, Node
from strided.autograd.track import Track
from strided.autograd.view_rules import StorageView, shows_numbers_of


def edge_of(x: Tensor) -> Edge | None:
    """Return where the gradient of a tensor goes, None when none is wanted."""
    track: Track | None = x._track
    if track is None:
        track = _taken_from_root(x)
        if track is None:
            return None
    elif track.root is not None and track.root.epoch != track.root_epoch:
        track = _renewed(x, track)
    node = track.node
    if node is not None:
        return (node, track.index, x.shape, x.dtype)
    return (track, 0, x.shape, x.dtype) if track.requires_grad else None


def track_of(x: Tensor) -> Track | None:
    """Return the track of a tensor, brought up to date; None when it is plain."""
    track: Track | None = x._track
    if track is None:
        return _taken_from_root(x)
    if track.root is not None and track.root.epoch != track.root_epoch:
        return _renewed(x, track)
    return track


def _taken_from_root(x: Tensor) -> Track | None:
    """Return the track of a view that was made before an in-place write tracked its memory."""
    root = x._root
    if root is x:
        return None
    track: Track | None = root._track
    # A leaf came to require a gradient after the view was made: the view is no part of that.
    if track is None or track.node is None or not shows_numbers_of(x, root):
        return None
    return _renewed(x, Track(None, 0, track))


def _renewed(x: Tensor, track: Track) -> Track:
    """Let a view be a view of what its memory holds now."""
    root = x._root
    above: Track = root._track
    assert above.node is not None
    edge = (above.node, above.index, root.shape, root.dtype)
    track.rebase(Node("view", (edge,), StorageView(root, x)))
    track.root, track.root_epoch = above, above.epoch
    x._track = track
    return track
